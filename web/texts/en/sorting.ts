export const sorting = {
  handle: (name: string) => `Move ${name}: drag it, or press the up and down arrow keys`,
  up: (name: string) => `Move ${name} up`,
  down: (name: string) => `Move ${name} down`,
  howTo: 'Drag, or press the up and down arrow keys to move it one position.',
  picked: (name: string) => `Picked up ${name}.`,
  over: (name: string, other: string) => `${name} is now at the position of ${other}.`,
  dropped: (name: string) => `${name} was put down.`,
  stays: (name: string) => `${name} stays where it was.`,
}

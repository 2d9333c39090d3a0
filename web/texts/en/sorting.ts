export const sorting = {
  handle: (name: string) => `Move ${name}: drag it, or press the up and down arrow keys`,
  up: (name: string) => `Move ${name} up`,
  down: (name: string) => `Move ${name} down`,
  howTo: 'Drag with the pointer, or press the up and down arrow keys to move it by one place.',
  picked: (name: string) => `Picked up ${name}.`,
  over: (name: string, other: string) => `${name} is at the place of ${other}.`,
  dropped: (name: string) => `${name} was put down.`,
  stays: (name: string) => `${name} stays where it was.`,
}

-- Tokens of sessions are kept as hashes only: a copy of the database opens nothing. Who is signed in stays so.
update auth_sessions set token = encode(sha256(convert_to(token, 'UTF8')), 'hex');

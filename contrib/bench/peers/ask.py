"""Asks the HTTPS door once, and prints the reply: ask.py PORT TOKEN USER"""

import http.client
import json
import ssl
import sys

port, token, user = int(sys.argv[1]), sys.argv[2], sys.argv[3]
# The certificate was made a moment ago, for nobody.
connection = http.client.HTTPSConnection("127.0.0.1", port, context=ssl._create_unverified_context())
body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "canRender", "params": {"userId": user}})
connection.request("POST", "/rpc", body, {"Authorization": f"Bearer {token}"})
reply = connection.getresponse()
text = reply.read().decode()
if reply.status != 200 or "result" not in text:
    sys.exit(f"ask: {reply.status} {text}")
print(text)

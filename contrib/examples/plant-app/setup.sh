bundle=com.plantclub.app
mint --month 2m --bundle-id "$bundle" --product com.plantclub.club.monthly,P1M,1,2990
start_store
door
outbox /outbox
export SERVICE_KEY=service-key-of-the-example MEMBERSHIPS=$home/memberships.db

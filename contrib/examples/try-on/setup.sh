# A month of this App Store takes an hour.
mint --month 1h
start_store
# Messages come from this host alone, through the example's server.
export ENTITLD_WEBHOOK_ALLOWED_SOURCES=127.0.0.1/32 ENTITLD_WEBHOOK_TRUSTED_PROXIES=127.0.0.1/32

#ifndef ENTITLD_COPENSSL_H
#define ENTITLD_COPENSSL_H

// What Swift cannot see of OpenSSL by itself: macros, and functions with variable arguments.

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

static inline EVP_PKEY *openssl_make_ec_key(const char *curve) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "EC", curve);
}

static inline void openssl_free(void *bytes) { OPENSSL_free(bytes); }

static inline STACK_OF(X509) *openssl_certificates_new(void) { return sk_X509_new_null(); }

static inline int openssl_certificates_push(STACK_OF(X509) *list, X509 *certificate) {
    return sk_X509_push(list, certificate);
}

static inline void openssl_certificates_free(STACK_OF(X509) *list) { sk_X509_free(list); }

static inline void openssl_certificates_release(STACK_OF(X509) *list) {
    sk_X509_pop_free(list, X509_free);
}

static inline int openssl_signers_count(const STACK_OF(CMS_SignerInfo) *list) {
    return sk_CMS_SignerInfo_num(list);
}

static inline CMS_SignerInfo *openssl_signers_at(const STACK_OF(CMS_SignerInfo) *list, int index) {
    return sk_CMS_SignerInfo_value(list, index);
}

static inline int openssl_certificates_count(const STACK_OF(X509) *list) {
    return sk_X509_num(list);
}

static inline X509 *openssl_certificates_at(const STACK_OF(X509) *list, int index) {
    return sk_X509_value(list, index);
}

static inline long openssl_bio_bytes(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

#endif

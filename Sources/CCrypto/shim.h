#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/provider.h>

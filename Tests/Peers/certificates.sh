#!/bin/sh
# Makes certificates for tests of TLS in a folder, with the openssl program.
#
#   certificates.sh FOLDER
#
# ca.pem        the authority of the others
# other-ca.pem  another one
# router.pem    of 127.0.0.1 and localhost; router.key
# expired.pem   the same, of yesterday
# elsewhere.pem of another host
# client.pem    of a client; client.key
# stranger.pem  of a client, from the other authority
# locked.key    a key with a passphrase
set -eu
cd "$1"
umask 077

authority() { # NAME
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$1.key" -out "$1.pem" \
        -subj "/CN=$1" -days 30 -addext keyUsage=critical,keyCertSign,cRLSign
}

request() { # NAME
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$1.key" -out "$1.csr" -subj "/CN=$1"
}

sign() { # REQUEST AUTHORITY NAME DAYS EXTENSIONS
    printf '%b' "$5" >"$3.ext"
    openssl x509 -req -in "$1.csr" -CA "$2.pem" -CAkey "$2.key" -CAcreateserial -extfile "$3.ext" -days "$4" -out "$3.pem"
}

here='subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth\n'
{
    authority ca
    authority other-ca
    request router
    request client
    sign router ca router 30 "$here"
    sign router ca expired -1 "$here"
    sign router ca elsewhere 30 'subjectAltName=DNS:elsewhere.example\nextendedKeyUsage=serverAuth\n'
    sign client ca client 30 'subjectAltName=DNS:ground.example\nextendedKeyUsage=clientAuth\n'
    sign client other-ca stranger 30 'subjectAltName=DNS:ground.example\nextendedKeyUsage=clientAuth\n'
    openssl pkcs8 -topk8 -in client.key -out locked.key -passout pass:secret
} 2>errors || {
    cat errors >&2
    exit 1
}

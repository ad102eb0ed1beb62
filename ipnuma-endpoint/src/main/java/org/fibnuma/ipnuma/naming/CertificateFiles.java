package org.fibnuma.ipnuma.naming;

import java.nio.file.Path;

/**
 * What a name server shows over TLS.
 *
 * @param certificate PEM file of the server's certificate, and of those that lead to the clients' CA.
 * @param key         PEM file of its private key, PKCS #8, not encrypted.
 */
public record CertificateFiles(Path certificate, Path key)
{
}

package org.fibnuma.ipnuma.naming;

import java.nio.file.Path;

/**
 * TLS certificate of a name server.
 *
 * @param certificate PEM file of the server's certificate and its chain up to the clients' CA.
 * @param key         PEM file of its private key, PKCS #8, not encrypted.
 */
public record CertificateFiles(Path certificate, Path key)
{
}

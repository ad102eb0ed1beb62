package org.fibnuma.ipnuma.naming.socket;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.naming.CertificateFiles;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import java.nio.file.Path;

/** TLS for the JDK's clients from PEM files. */
public final class ClientTls
{
    private ClientTls()
    {
    }

    /**
     * Reads certificates.
     *
     * @param authority   PEM file of the CA of the servers' certificates, null for the CAs of the JVM.
     * @param certificate of the client, null for none.
     * @return the context for an {@code HttpClient}.
     * @throws UserException if a file is not in PEM, or the key has a password.
     */
    public static SSLContext of(final Path authority, final CertificateFiles certificate)
    {
        try
        {
            final SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
            if (authority != null)
            {
                builder.trustManager(authority.toFile());
            }
            if (certificate != null)
            {
                builder.keyManager(certificate.certificate().toFile(), certificate.key().toFile());
            }
            return ((JdkSslContext)builder.build()).context();
        }
        catch (final IllegalArgumentException | SSLException ex)
        {
            throw new UserException("cannot read the certificates of a client: " + ex.getMessage() +
                "; give PEM files, and a key in PKCS #8 without a password", ex);
        }
    }
}

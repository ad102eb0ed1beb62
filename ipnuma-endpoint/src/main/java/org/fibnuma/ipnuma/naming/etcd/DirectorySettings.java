package org.fibnuma.ipnuma.naming.etcd;

import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.naming.CertificateFiles;
import org.fibnuma.ipnuma.naming.socket.ClientTls;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/**
 * Location of the directory of endpoints: an etcd cluster, and a prefix of its keys.
 *
 * @param members      URLs of the members' client ports, at least one, http or https.
 * @param prefix       of all keys, ends with a slash.
 * @param leaseSeconds after which a dead endpoint is removed from the directory, 2 or more.
 * @param authority    PEM file of the CA of the members' certificates; null for the CAs of the JVM.
 * @param certificate  of this client, null for none.
 * @param user         of the cluster, null for a cluster without authentication.
 */
public record DirectorySettings(
    List<URI> members,
    String prefix,
    int leaseSeconds,
    Path authority,
    CertificateFiles certificate,
    EtcdUser user)
{
    /** Default prefix of the keys. */
    public static final String DEFAULT_PREFIX = "/fibnuma/";
    /** Default lease. A stop of the JVM or of etcd for some seconds removes no endpoint. */
    public static final int DEFAULT_LEASE_SECONDS = 10;
    /** etcd grants no lease shorter than its election (minTTL in lease/lessor.go of etcd 3.4). */
    public static final int MIN_LEASE_SECONDS = 2;

    private static final String ENDPOINTS = "endpoints/";

    /** Returns settings with default prefix, lease and certificates. */
    public static DirectorySettings of(final List<URI> members)
    {
        return new DirectorySettings(members, DEFAULT_PREFIX, DEFAULT_LEASE_SECONDS, null, null, null);
    }

    /**
     * Parses the URL of a member.
     *
     * @param text such as {@code http://127.0.0.1:2379}.
     * @throws IllegalArgumentException if it is no URL of http or https with a host.
     */
    public static URI member(final String text)
    {
        final URI uri = URI.create(text);
        if (!("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) || uri.getHost() == null)
        {
            throw new IllegalArgumentException(
                "\"" + text + "\" is no URL of an etcd member; write it as http://127.0.0.1:2379");
        }
        return uri;
    }

    String endpoints()
    {
        return prefix + ENDPOINTS;
    }

    String keyOf(final String endpoint)
    {
        return endpoints() + endpoint;
    }

    /** Creates a client. Throws {@link UserException} if a file is not a certificate or key in PEM. */
    EtcdClient newClient()
    {
        return new EtcdClient(members,
            authority == null && certificate == null ? null : ClientTls.of(authority, certificate), user);
    }
}

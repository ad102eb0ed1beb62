package org.fibnuma.ipnuma.config;

import org.fibnuma.core.config.TomlSection;
import org.fibnuma.ipnuma.naming.CertificateFiles;
import org.fibnuma.ipnuma.naming.etcd.DirectorySettings;
import org.fibnuma.ipnuma.naming.etcd.EtcdUser;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The directory of endpoints, table {@code [directory]}.
 *
 * @param settings of the directory.
 * @param peers    names of the endpoints whose addresses it has, those of the peers with {@code endpoint}.
 */
public record DirectoryConfig(DirectorySettings settings, Set<String> peers)
{
    private static final String DIRECTORY = "directory";
    private static final String ETCD = "etcd";
    private static final String PREFIX = "prefix";
    private static final String CERTIFICATE = "certificate";
    private static final String KEY = "key";
    private static final String USER = "user";
    private static final String PASSWORD_FILE = "password-file";
    private static final int MAX_LEASE_SECONDS = 3600;

    /** Reads the table, and returns null if the file has none. */
    static DirectorySettings read(final TomlSection root)
    {
        if (!root.has(DIRECTORY))
        {
            return null;
        }
        final TomlSection section = root.tableOrEmpty(DIRECTORY);
        final List<URI> members = new ArrayList<>();
        for (final String member : section.strings(ETCD))
        {
            final URI uri = section.parse(ETCD, member, DirectorySettings::member, null);
            if (uri != null)
            {
                members.add(uri);
            }
        }
        if (!section.has(ETCD) || section.strings(ETCD).isEmpty())
        {
            section.missing(ETCD, "give the URLs of its members, such as etcd = [\"http://127.0.0.1:2379\"]");
        }
        final String prefix = section.string(PREFIX, DirectorySettings.DEFAULT_PREFIX);
        if (!prefix.matches("[!-~]*/"))
        {
            section.wrong(PREFIX, "\"" + prefix + "\" does not end with a slash; write it as \"" +
                DirectorySettings.DEFAULT_PREFIX + "\"");
        }
        final int leaseSeconds = section.integer("lease-seconds", DirectorySettings.MIN_LEASE_SECONDS,
            MAX_LEASE_SECONDS, DirectorySettings.DEFAULT_LEASE_SECONDS);
        final Path authority = section.parsed("ca", Path::of, null);
        final CertificateFiles certificate = certificate(section);
        final EtcdUser user = user(section);
        section.refuseUnknownKeys();
        return new DirectorySettings(members, prefix, leaseSeconds, authority, certificate, user);
    }

    private static CertificateFiles certificate(final TomlSection section)
    {
        final Path certificate = section.parsed(CERTIFICATE, Path::of, null);
        final Path key = section.parsed(KEY, Path::of, null);
        if ((certificate == null) != (key == null))
        {
            section.missing(certificate == null ? CERTIFICATE : KEY,
                "a client has both: give PEM files as " + CERTIFICATE + " and " + KEY);
            return null;
        }
        return certificate == null ? null : new CertificateFiles(certificate, key);
    }

    private static EtcdUser user(final TomlSection section)
    {
        final String name = section.string(USER, null);
        if (section.has(PASSWORD_FILE) != section.has(USER))
        {
            section.missing(name == null ? USER : PASSWORD_FILE,
                "a login needs both: give " + USER + ", and the file with the password as " + PASSWORD_FILE);
            return null;
        }
        return section.parsed(PASSWORD_FILE, file -> EtcdUser.of(name, Path.of(file)), null);
    }
}

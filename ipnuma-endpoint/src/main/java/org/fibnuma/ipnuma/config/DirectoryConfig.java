package org.fibnuma.ipnuma.config;

import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigTable;
import org.fibnuma.core.service.config.TomlSection;
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
 * @param peers    names of the peers with {@code endpoint}, whose addresses are in the directory.
 */
public record DirectoryConfig(DirectorySettings settings, Set<String> peers)
{
    private static final int MAX_LEASE_SECONDS = 3600;
    private static final String NONE = "none";

    private static final ConfigTable KEYS = new ConfigTable();

    private static final ConfigKey<List<String>> ETCD = KEYS.strings(
        "etcd", "URLs with http or https", "http://127.0.0.1:2379").byDefault("required")
        .restart("Client URLs of the members. If one does not answer, the next one is used.");
    private static final ConfigKey<String> PREFIX = KEYS.string(
        "prefix", "printable ASCII that ends with a slash", "/other/", DirectorySettings.DEFAULT_PREFIX)
        .restart("Prefix of the keys in etcd.");
    private static final ConfigKey<Integer> LEASE_SECONDS = KEYS.integer("lease-seconds",
        DirectorySettings.MIN_LEASE_SECONDS, MAX_LEASE_SECONDS, DirectorySettings.DEFAULT_LEASE_SECONDS)
        .restart("Seconds after which an endpoint that died is gone from the directory.");
    private static final ConfigKey<Path> CA = KEYS.parsed("ca", "path of a PEM file", "etcd-ca.pem", Path::of, null)
        .byDefault("those that the JVM trusts").restart("With https: the CA of the members' certificates.");
    private static final ConfigKey<Path> CERTIFICATE = KEYS.parsed(
        "certificate", "path of a PEM file", "client.pem", Path::of, null).byDefault(NONE)
        .restart("With `key`: the certificate of this client.");
    private static final ConfigKey<Path> KEY = KEYS.parsed("key", "path of a PEM file", "client.key", Path::of, null)
        .byDefault(NONE).restart("Private key of `certificate`.");
    private static final ConfigKey<String> USER = KEYS.string("user", "name", "fibnuma", null).byDefault(NONE)
        .restart("User of an etcd with authentication.");
    private static final ConfigKey<String> PASSWORD_FILE = KEYS.string("password-file", "path", "etcd.password", null)
        .byDefault(NONE).restart("File whose first line is the password of `user`. It is read at each login.");

    /** The table, for the root of a file. */
    static final ConfigTable TABLES = new ConfigTable();
    private static final ConfigKey<TomlSection> DIRECTORY = TABLES.table("directory", KEYS)
        .restart("The directory of endpoints in etcd. Without this table there is none.");

    /** Reads the table, and returns null if the file has none. */
    static DirectorySettings read(final TomlSection root)
    {
        if (!root.has(DIRECTORY))
        {
            return null;
        }
        final TomlSection section = root.tableOrEmpty(DIRECTORY);
        final List<URI> members = new ArrayList<>();
        for (final String member : section.get(ETCD))
        {
            final URI uri = section.parse(ETCD, member, DirectorySettings::member, null);
            if (uri != null)
            {
                members.add(uri);
            }
        }
        if (!section.has(ETCD) || section.get(ETCD).isEmpty())
        {
            section.missing(ETCD, "give the URLs of its members, such as etcd = [\"http://127.0.0.1:2379\"]");
        }
        final String prefix = section.get(PREFIX);
        if (!prefix.matches("[!-~]*/"))
        {
            section.wrong(PREFIX, "\"" + prefix + "\" does not end with a slash; write it as \"" +
                DirectorySettings.DEFAULT_PREFIX + "\"");
        }
        final int leaseSeconds = section.get(LEASE_SECONDS);
        final Path authority = section.get(CA);
        final CertificateFiles certificate = certificate(section);
        final EtcdUser user = user(section);
        section.refuseUnknownKeys();
        return new DirectorySettings(members, prefix, leaseSeconds, authority, certificate, user);
    }

    private static CertificateFiles certificate(final TomlSection section)
    {
        final Path certificate = section.get(CERTIFICATE);
        final Path key = section.get(KEY);
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
        final String name = section.get(USER);
        if (section.has(PASSWORD_FILE) != section.has(USER))
        {
            section.missing(name == null ? USER : PASSWORD_FILE,
                "a login needs both: give " + USER + ", and the file with the password as " + PASSWORD_FILE);
            return null;
        }
        final String file = section.get(PASSWORD_FILE);
        return file == null ? null :
            section.parse(PASSWORD_FILE, file, text -> EtcdUser.of(name, Path.of(text)), null);
    }
}

package org.fibnuma.ipnuma.command;

import org.fibnuma.ipnuma.naming.CertificateFiles;
import org.fibnuma.ipnuma.naming.etcd.DirectorySettings;
import org.fibnuma.ipnuma.naming.etcd.EtcdUser;
import picocli.CommandLine;
import picocli.CommandLine.Option;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** Options of commands that read the directory of endpoints in etcd. */
final class DirectoryOptions
{
    @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
    private CommandLine.Model.CommandSpec spec;

    @Option(
        names = "--etcd", split = ",", paramLabel = "URL",
        description = "Members of the etcd cluster that has the directory, separated by commas, such as " +
            "http://127.0.0.1:2379.")
    private List<String> members = List.of();

    @Option(
        names = "--prefix", defaultValue = DirectorySettings.DEFAULT_PREFIX, paramLabel = "PREFIX",
        description = "Prefix of the directory's keys (default: ${DEFAULT-VALUE}).")
    private String prefix;

    @Option(
        names = "--etcd-ca", paramLabel = "FILE",
        description = "For https: the CA of the members' certificates (PEM).")
    private Path authority;

    @Option(
        names = "--etcd-certificate", paramLabel = "FILE",
        description = "Certificate of this client (PEM), with --etcd-key.")
    private Path certificate;

    @Option(names = "--etcd-key", paramLabel = "FILE", description = "Private key of this client (PEM, PKCS #8).")
    private Path key;

    @Option(
        names = "--etcd-user", paramLabel = "NAME",
        description = "User of an etcd cluster with authentication, with --etcd-password-file.")
    private String user;

    @Option(
        names = "--etcd-password-file", paramLabel = "FILE",
        description = "File with the user's password on its first line.")
    private Path passwordFile;

    boolean isGiven()
    {
        return !members.isEmpty();
    }

    /** Returns the settings, if {@link #isGiven()}. Throws ParameterException if an option is invalid. */
    DirectorySettings settings()
    {
        if ((certificate == null) != (key == null))
        {
            throw usage("--etcd-certificate and --etcd-key need each other");
        }
        if ((user == null) != (passwordFile == null))
        {
            throw usage("--etcd-user and --etcd-password-file need each other");
        }
        if (!prefix.endsWith("/"))
        {
            throw usage("--prefix: \"" + prefix + "\" does not end with a slash");
        }
        return new DirectorySettings(
            members.stream().map(this::member).toList(), prefix, DirectorySettings.DEFAULT_LEASE_SECONDS, authority,
            certificate == null ? null : new CertificateFiles(certificate, key), user == null ? null : login());
    }

    private EtcdUser login()
    {
        try
        {
            return EtcdUser.of(user, passwordFile);
        }
        catch (final IllegalArgumentException ex)
        {
            throw usage("--etcd-password-file: " + ex.getMessage());
        }
    }

    private URI member(final String text)
    {
        try
        {
            return DirectorySettings.member(text);
        }
        catch (final IllegalArgumentException ex)
        {
            throw usage("--etcd: " + ex.getMessage());
        }
    }

    private CommandLine.ParameterException usage(final String what)
    {
        return new CommandLine.ParameterException(spec.commandLine(), what);
    }
}

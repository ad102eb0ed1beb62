package org.fibnuma.ipnuma.config;

import org.fibnuma.core.config.TomlSection;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.naming.CertificateFiles;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads what {@code [endpoint]} says about clients and names. */
final class ServiceReader
{
    static final String NAMES = "names";

    private static final String NAMES_ALLOW = "names-allow";
    private static final String NAMES_CERTIFICATE = "names-certificate";
    private static final String NAMES_KEY = "names-key";
    private static final int MAX_CLIENTS = 256;
    private static final int DEFAULT_CLIENTS = 8;
    private static final int MIN_TIMEOUT_MS = 10;
    private static final int MAX_TIMEOUT_MS = 3_600_000;
    /** A pause of a client's collector, or a loaded machine, stays far below it. */
    private static final int DEFAULT_TIMEOUT_MS = 5000;
    private static final int MAX_PORT = 0xFFFF;

    private ServiceReader()
    {
    }

    static ServiceConfig read(final TomlSection endpoint)
    {
        final List<Ipv4Prefix> allow = new ArrayList<>();
        for (final String text : endpoint.strings(NAMES_ALLOW))
        {
            final Ipv4Prefix prefix = endpoint.parse(NAMES_ALLOW, text, Ipv4Prefix::parse, null);
            if (prefix != null)
            {
                allow.add(prefix);
            }
        }
        return new ServiceConfig(
            endpoint.integer("clients", 0, MAX_CLIENTS, DEFAULT_CLIENTS),
            TimeUnit.MILLISECONDS.toNanos(
                endpoint.integer("client-timeout-ms", MIN_TIMEOUT_MS, MAX_TIMEOUT_MS, DEFAULT_TIMEOUT_MS)),
            endpoint.parsed(NAMES, ServiceReader::hostAndPort, null),
            certificate(endpoint),
            allow);
    }

    private static CertificateFiles certificate(final TomlSection endpoint)
    {
        final String certificate = endpoint.string(NAMES_CERTIFICATE, null);
        final String key = endpoint.string(NAMES_KEY, null);
        if ((certificate == null) != (key == null))
        {
            endpoint.missing(certificate == null ? NAMES_CERTIFICATE : NAMES_KEY,
                "TLS needs both: give PEM files as " + NAMES_CERTIFICATE + " and " + NAMES_KEY);
            return null;
        }
        return certificate == null ? null : new CertificateFiles(Path.of(certificate), Path.of(key));
    }

    /** Not looked up yet: a name may belong to nobody while the file is read. */
    static InetSocketAddress hostAndPort(final String text)
    {
        final int colon = text.lastIndexOf(':');
        final String port = text.substring(colon + 1);
        if (colon < 1 || !text.substring(0, colon).matches("[A-Za-z0-9.-]+") || !port.matches("[0-9]{1,5}") ||
            Integer.parseInt(port) < 1 || Integer.parseInt(port) > MAX_PORT)
        {
            throw new IllegalArgumentException("\"" + text + "\" is no host and port; write it as 10.9.0.1:3423");
        }
        return InetSocketAddress.createUnresolved(text.substring(0, colon), Integer.parseInt(port));
    }
}

package org.fibnuma.ipnuma.config;

import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.naming.CertificateFiles;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * The services of an endpoint for clients on this machine and for lookups of names.
 *
 * @param clients         maximum number of simultaneous client processes, 0 for none.
 * @param clientTimeoutNs time without a heartbeat after which a client is disconnected.
 * @param names           address of the name server, null for none.
 * @param certificate     of the name server for TLS, null for clear text.
 * @param namesAllow      addresses that may look up every region. Others may look up only regions that allow them.
 */
public record ServiceConfig(
    int clients,
    long clientTimeoutNs,
    InetSocketAddress names,
    CertificateFiles certificate,
    List<Ipv4Prefix> namesAllow)
{
}

package org.fibnuma.ipnuma.config;

import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.naming.CertificateFiles;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * What an endpoint does for others than its peers' endpoints.
 *
 * @param clients         how many processes of this machine may use it at once, 0 for none.
 * @param clientTimeoutNs without a sign of life until one is given up.
 * @param names           where regions can be asked for by name, null for nowhere.
 * @param certificate     that names are told over TLS with, null for clear text alone.
 * @param namesAllow      who may ask for every region; others for those that admit them.
 */
public record ServiceConfig(
    int clients,
    long clientTimeoutNs,
    InetSocketAddress names,
    CertificateFiles certificate,
    List<Ipv4Prefix> namesAllow)
{
}

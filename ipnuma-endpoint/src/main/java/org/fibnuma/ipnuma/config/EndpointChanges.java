package org.fibnuma.ipnuma.config;

import org.fibnuma.core.UserException;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.ipnuma.naming.etcd.DirectorySettings;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Differences between the configuration of a running endpoint and its changed file. A changed peer is removed and
 * added.
 *
 * @param config     of the changed file.
 * @param removed    peers that are removed or changed.
 * @param added      peers that are new or changed.
 * @param regions    with other rights: access, allow or key.
 * @param namesAllow whether other addresses may look up every region.
 * @param lines      description of the changes, a line for each.
 */
public record EndpointChanges(
    EndpointConfig config,
    List<PeerConfig> removed,
    List<PeerConfig> added,
    List<RegionConfig> regions,
    boolean namesAllow,
    List<String> lines)
{
    /** Maximum number of peers that can be added to a running endpoint, which has room for their counters. */
    public static final int MORE_PEERS = 64;

    /**
     * Compares two configurations of an endpoint.
     *
     * @param started with which the endpoint was started.
     * @param running in force.
     * @param file    of the changed file.
     * @throws UserException with one line, if a difference needs a restart.
     */
    public static EndpointChanges of(
        final EndpointConfig started, final EndpointConfig running, final EndpointConfig file)
    {
        requireSame(running, file);
        final List<String> lines = new ArrayList<>();
        final List<PeerConfig> removed = new ArrayList<>(running.peers());
        removed.removeAll(new HashSet<>(file.peers()));
        final List<PeerConfig> added = new ArrayList<>(file.peers());
        added.removeAll(new HashSet<>(running.peers()));
        if (file.peers().size() > started.peers().size() + MORE_PEERS)
        {
            throw new UserException(file.file() + ": peer: " + file.peers().size() + " are more than the " +
                (started.peers().size() + MORE_PEERS) + " that this endpoint has room for; restart it");
        }
        final Set<Integer> idsInFile = ids(file);
        final Set<Integer> idsBefore = ids(running);
        for (final PeerConfig peer : removed)
        {
            lines.add(line(peer, idsInFile.contains(peer.id()) ? "changed" : "removed"));
        }
        added.stream().filter(peer -> !idsBefore.contains(peer.id())).forEach(peer -> lines.add(line(peer, "added")));
        final List<RegionConfig> regions = new ArrayList<>();
        final Map<String, RegionConfig> before = byName(running);
        for (final RegionConfig region : file.regions())
        {
            final List<String> rights = rights(before.get(region.name()), region);
            if (!rights.isEmpty())
            {
                regions.add(region);
                lines.add("region " + region.name() + ": " + String.join(", ", rights) + " changed");
            }
        }
        final boolean namesAllow = !running.services().namesAllow().equals(file.services().namesAllow());
        if (namesAllow)
        {
            lines.add("names-allow changed");
        }
        if (running.logLevel() != file.logLevel())
        {
            lines.add(EndpointKeys.LOG_LEVEL + " " + running.logLevel().key() + " -> " + file.logLevel().key());
        }
        return new EndpointChanges(file, removed, added, regions, namesAllow, lines);
    }

    private static Set<Integer> ids(final EndpointConfig config)
    {
        return config.peers().stream().map(PeerConfig::id).collect(Collectors.toSet());
    }

    private static String line(final PeerConfig peer, final String what)
    {
        return "peer " + peer.id() + " " + Ipv4Address.format(peer.ipv4()) + " " + what;
    }

    private static Map<String, RegionConfig> byName(final EndpointConfig config)
    {
        return config.regions().stream().collect(Collectors.toMap(
            RegionConfig::name, Function.identity(), (one, other) -> one, LinkedHashMap::new));
    }

    private static List<String> rights(final RegionConfig before, final RegionConfig after)
    {
        final List<String> rights = new ArrayList<>();
        if (before.access() != after.access())
        {
            rights.add("access");
        }
        final List<Ipv4Prefix> allow = before.allow();
        if (!allow.equals(after.allow()))
        {
            rights.add("allow");
        }
        if (before.key() != after.key())
        {
            rights.add("key");
        }
        return rights;
    }

    private static void requireSame(final EndpointConfig running, final EndpointConfig file)
    {
        require(file, "endpoint.name", running.name(), file.name());
        require(file, "endpoint.device", running.device(), file.device());
        require(file, "endpoint.address, gateway or mac", running.network(), file.network());
        require(file, "endpoint.window-mib", running.windowBytes(), file.windowBytes());
        require(file, "endpoint.core or idle", running.thread(), file.thread());
        require(file, "a ring size or another setting of the port", running.rings(), file.rings());
        require(file, "endpoint.clients", running.services().clients(), file.services().clients());
        require(file, "endpoint.client-timeout-ms",
            running.services().clientTimeoutNs(), file.services().clientTimeoutNs());
        require(file, "endpoint.names", running.services().names(), file.services().names());
        require(file, "endpoint.names-certificate or names-key",
            running.services().certificate(), file.services().certificate());
        require(file, "http", withoutLine(running), withoutLine(file));
        require(file, "directory", settings(running), settings(file));
        require(file, "the list of regions", shapes(running), shapes(file));
    }

    /** Returns the settings without the names of peers, because a reload adds and removes peers. */
    private static DirectorySettings settings(final EndpointConfig config)
    {
        return config.directory() == null ? null : config.directory().settings();
    }

    private static List<Object> withoutLine(final EndpointConfig config)
    {
        return config.http() == null ? List.of() :
            List.of(config.http().listen(), config.http().allowOtherHosts(), config.http().allowOtherUsers(),
                config.http().hostNames());
    }

    private static List<String> shapes(final EndpointConfig config)
    {
        return config.regions().stream().map(region -> region.name() + " " + region.id() + " " + region.size() + " " +
            region.isZero()).sorted().toList();
    }

    private static void require(
        final EndpointConfig file, final String what, final Object before, final Object after)
    {
        if (!Objects.equals(before, after))
        {
            throw new UserException(file.file() + ": " + what + " differs, which needs a restart of the endpoint");
        }
    }
}

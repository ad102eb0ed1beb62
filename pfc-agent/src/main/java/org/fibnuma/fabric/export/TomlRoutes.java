package org.fibnuma.fabric.export;

import org.fibnuma.core.UserException;
import org.fibnuma.core.config.ConfigException;
import org.fibnuma.core.config.ConfigProblems;
import org.fibnuma.core.config.TomlFile;
import org.fibnuma.core.config.TomlSection;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.Ipv4Prefix;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what {@link StaticRoutes} wrote as TOML. */
final class TomlRoutes
{
    private final Fabric fabric;
    private final AddressPlan addresses;
    private final ForwardingTables tables;

    TomlRoutes(final Fabric fabric)
    {
        this.fabric = fabric;
        this.addresses = new AddressPlan(fabric);
        this.tables = new ForwardingTables(fabric);
    }

    ForwardingTables read(final Path path) throws IOException
    {
        final List<Path> files;
        try (Stream<Path> found = Files.isDirectory(path) ? Files.list(path) : Stream.of(path))
        {
            files = found.filter(file -> file.toString().endsWith(".toml")).sorted().collect(Collectors.toList());
        }
        if (files.isEmpty())
        {
            throw UserException.usage(path + ": no SWITCH.toml in it; give the routes folder of a plan");
        }
        for (final Path file : files)
        {
            readFile(file);
        }
        return tables;
    }

    private void readFile(final Path file)
    {
        final ConfigProblems problems = new ConfigProblems(file);
        try
        {
            final TomlSection root = TomlFile.read(file, problems);
            final String name = root.string("switch", "");
            final int node = fabric.switchNamed(name);
            if (node < 0)
            {
                throw UserException.usage(file + ":1: unknown switch \"" + name + "\"; is this its topology?");
            }
            for (final TomlSection route : root.tables("route"))
            {
                readRoute(node, route);
            }
            problems.throwIfAny();
        }
        catch (final ConfigException ex)
        {
            throw UserException.usage(ex.problems().get(0));
        }
    }

    private void readRoute(final int node, final TomlSection route)
    {
        final Ipv4Prefix prefix = route.parsed("prefix", Ipv4Prefix::parse, null);
        final Integer via = route.parsed("via", Ipv4Address::parse, null);
        if (prefix == null || via == null)
        {
            return;
        }
        final int server = addresses.serverAt(prefix.address());
        final int channel = addresses.channelTo(node, via);
        if (server < 0 || prefix.length() != Integer.SIZE)
        {
            route.wrong("prefix", "is no server of the topology");
        }
        else if (channel < 0)
        {
            route.wrong("via", "is at the other end of no cable of switch \"" + fabric.switchName(node) + "\"");
        }
        else
        {
            tables.set(node, server, channel);
        }
    }
}

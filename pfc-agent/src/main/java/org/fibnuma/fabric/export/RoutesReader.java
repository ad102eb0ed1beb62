package org.fibnuma.fabric.export;

import org.fibnuma.core.UserException;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Reads anybody's tables for a known fabric: our TOML, a file or a folder of them, or OpenSM's fdbs and lfts. */
public final class RoutesReader
{
    private RoutesReader()
    {
    }

    /**
     * Reads tables.
     *
     * @param fabric whose switches and servers they name.
     * @param path   a file or a folder.
     * @return the tables.
     * @throws UserException one line, where they cannot be used.
     */
    public static ForwardingTables read(final Fabric fabric, final Path path)
    {
        try
        {
            if (Files.isDirectory(path) || path.toString().endsWith(".toml"))
            {
                return new TomlRoutes(fabric).read(path);
            }
            final List<String> lines = Files.readAllLines(path);
            if (lines.stream().anyMatch(line -> line.startsWith("Unicast lids")))
            {
                return new LftDump(fabric, path.toString()).read(lines);
            }
            if (lines.stream().anyMatch(FdbDump::isSwitchLine))
            {
                return new FdbDump(fabric, path.toString()).read(lines);
            }
            throw UserException.usage(path + ":1: no routes; give a folder of our TOML files, opensm-lfts.dump or " +
                "opensm.fdbs");
        }
        catch (final NoSuchFileException ex)
        {
            throw UserException.usage(path + ": cannot be read (no such file)");
        }
        catch (final MalformedInputException ex)
        {
            throw UserException.usage(path + ": is not text; give TOML, opensm-lfts.dump or opensm.fdbs");
        }
        catch (final IOException ex)
        {
            throw UserException.usage(path + ": cannot be read (" + ex + ")");
        }
    }

    /** The channel or server behind a port of a switch that a table names; puts the route in. */
    static void route(
        final ForwardingTables tables, final String place, final int node, final int port, final int server)
    {
        final Fabric fabric = tables.fabric();
        if (fabric.serverSwitch(server) == node)
        {
            return;
        }
        for (int channel = fabric.firstChannel(node); channel < fabric.firstChannel(node + 1); channel++)
        {
            if (fabric.portNumber(channel) == port)
            {
                tables.set(node, server, channel);
                return;
            }
        }
        throw UserException.usage(place + ": switch \"" + fabric.switchName(node) + "\" has no cable to another " +
            "switch at port " + port + "; is this its topology?");
    }

    static int switchWithGuid(final Fabric fabric, final String place, final long guid)
    {
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            if (fabric.switchGuid(node) == guid)
            {
                return node;
            }
        }
        throw UserException.usage(place + ": unknown switch 0x" + Long.toHexString(guid) +
            "; give the topology as ibnetdiscover printed it, with GUIDs");
    }
}

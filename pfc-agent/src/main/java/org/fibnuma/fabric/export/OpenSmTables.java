package org.fibnuma.fabric.export;

import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes tables as OpenSM's {@code opensm-lfts.dump}, which {@code opensm -R file -U FILE} loads (OpenSM 3.3.23,
 * {@code osm_ucast_file.c}). Each line contains the GUID of the destination port. OpenSM uses the LID that it assigned
 * to that port, so the LIDs in the file only have to be different.
 */
public final class OpenSmTables
{
    /** Name of the file in the folder of a plan. */
    public static final String FILE = "opensm-lfts.dump";

    private final ForwardingTables tables;
    private final Fabric fabric;

    /** Prepares to write the routes of tables. */
    public OpenSmTables(final ForwardingTables tables)
    {
        this.tables = tables;
        this.fabric = tables.fabric();
    }

    /** {@return whether all switches and servers have GUIDs, which OpenSM needs} */
    public boolean isPossible()
    {
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            if (fabric.switchGuid(node) == Fabric.NO_GUID)
            {
                return false;
            }
        }
        return fabric.serverCount() == 0 || fabric.serverGuid(0) != Fabric.NO_GUID;
    }

    /** Writes the file to a folder and replaces an existing one. */
    public void write(final Path folder) throws IOException
    {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(folder.resolve(FILE))))
        {
            for (int node = 0; node < fabric.switchCount(); node++)
            {
                writeSwitch(node, out);
            }
        }
    }

    private void writeSwitch(final int node, final PrintWriter out)
    {
        out.printf("Unicast lids [0-%d] of switch Lid %d guid 0x%016x ('%s'):%n",
            fabric.serverCount(), fabric.serverCount() + 1 + node, fabric.switchGuid(node), fabric.switchName(node));
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            final boolean here = fabric.serverSwitch(server) == node;
            final int channel = tables.next(node, server);
            if (here || channel != ForwardingTables.NONE)
            {
                out.printf("0x%04x %03d # Channel Adapter portguid 0x%016x: '%s'%n", server + 1,
                    here ? fabric.serverPort(server) : fabric.portNumber(channel), fabric.serverGuid(server),
                    fabric.serverName(server));
            }
        }
        out.printf("%d valid lids dumped%n", fabric.serverCount());
    }
}

package org.fibnuma.fabric.export;

import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The tables in the form of OpenSM's {@code opensm-lfts.dump}, which {@code opensm -R file -U FILE} loads (OpenSM
 * 3.3.23, {@code osm_ucast_file.c}). Each line has the GUID of the port that is gone to; OpenSM takes the LID that it
 * gave to that, so the LIDs here only need to differ.
 */
public final class OpenSmTables
{
    /** The name of the file. */
    public static final String FILE = "opensm-lfts.dump";

    private final ForwardingTables tables;
    private final Fabric fabric;

    /**
     * OpenSM's form of tables.
     *
     * @param tables to write.
     */
    public OpenSmTables(final ForwardingTables tables)
    {
        this.tables = tables;
        this.fabric = tables.fabric();
    }

    /**
     * Whether OpenSM can know the fabric.
     *
     * @return false where switches or servers have no GUIDs.
     */
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

    /**
     * Writes the file, replacing what is there.
     *
     * @param folder in which it is made.
     * @throws IOException where it cannot be written.
     */
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

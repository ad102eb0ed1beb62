package org.fibnuma.fabric.export;

import org.fibnuma.core.UserException;
import org.fibnuma.fabric.tables.Lanes;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.TextFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A file of lanes. A line for each switch with servers has its name and the lane, from 0, in which its servers send.
 */
public final class LaneFile
{
    /** Name of the file in the folder of a plan. */
    public static final String FILE = "lanes.txt";

    private static final long MAX_BYTES = 16L << 20;

    private LaneFile()
    {
    }

    /** Writes the file to a folder and replaces an existing one. */
    public static void write(final Path folder, final Fabric fabric, final Lanes lanes) throws IOException
    {
        final List<String> lines = new ArrayList<>();
        lines.add("# switch, lane in which its servers send; frames keep their lane up to the destination");
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            if (fabric.serversAt(node) > 0)
            {
                lines.add(fabric.switchName(node) + " " + lanes.of(node));
            }
        }
        Files.write(folder.resolve(FILE), lines);
    }

    /**
     * Reads a file.
     *
     * @return the lanes, as many as the highest lane plus 1.
     * @throws UserException with one line, if it cannot be read, has a fault, or lacks a switch with servers.
     */
    public static Lanes read(final Fabric fabric, final Path file)
    {
        final int[] lane = new int[fabric.switchCount()];
        Arrays.fill(lane, -1);
        TextFile.forEachLine(file.toString(), TextFile.read(file, MAX_BYTES, "a lane file", "lines \"SWITCH LANE\""),
            (place, line) -> readLine(fabric, place, line, lane));
        final int count = Math.max(1, Arrays.stream(lane).max().orElse(0) + 1);
        for (int node = 0; node < lane.length; node++)
        {
            if (lane[node] < 0 && fabric.serversAt(node) > 0)
            {
                throw UserException.usage(
                    file + ": switch \"" + fabric.switchName(node) + "\" has no lane; add a line");
            }
            lane[node] = Math.max(0, lane[node]);
        }
        return new Lanes(count, lane);
    }

    private static void readLine(final Fabric fabric, final String place, final String line, final int[] lane)
    {
        final int space = line.lastIndexOf(' ');
        if (space < 0 || !line.substring(space + 1).matches("[0-7]"))
        {
            throw UserException.usage(place + ": \"" + line +
                "\" is not a switch and a lane from 0 to " + (Lanes.MAX_COUNT - 1));
        }
        final String name = line.substring(0, space).strip();
        final int node = fabric.switchNamed(name);
        if (node < 0 || lane[node] >= 0)
        {
            throw UserException.usage(place + ": switch \"" + name + "\" is " +
                (node < 0 ? "unknown; correct the name" : "there twice; remove one line"));
        }
        lane[node] = line.charAt(line.length() - 1) - '0';
    }
}

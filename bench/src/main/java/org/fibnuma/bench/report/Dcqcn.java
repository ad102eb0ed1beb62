package org.fibnuma.bench.report;

import org.fibnuma.core.UserException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The overview of DCQCN. It has no measurement, but an example of thresholds. */
final class Dcqcn
{
    private static final int[] FILL_PERCENT = {10, 50};
    private static final String CONFIGURATION = "%s%n[pfc]%nlossless = [3, 4]%nbuffer-bytes = 12000000%n" +
        "ecn-min-percent = %d%n";

    private Dcqcn()
    {
    }

    static List<Figure> figures(final CommandLines commands)
    {
        final Path directory = commands.directory("dcqcn");
        final List<Path> files = List.of(directory.resolve("fill-10.toml"), directory.resolve("fill-50.toml"));
        return List.of(
            new Figure("dcqcn-thresholds", "WRED start fill level: are packets marked before PFC stops the sender?",
                Figure.Shape.TABLE, "1 yes, 0 no")
                .columns("", "10 %", "50 %")
                .paper("two ingress ports to one egress port", 1, 0)
                .measured(files.stream().map(commands::check).toList(), results ->
                {
                    final double[] marks = new double[files.size()];
                    for (int i = 0; i < marks.length; i++)
                    {
                        write(files.get(i), FILL_PERCENT[i]);
                        marks[i] = Rows.of(results.result(commands.check(files.get(i))).path("findings"))
                            .where("level", "error").nodes().isEmpty() ? 1 : 0;
                    }
                    return List.of(new Series("pfc check", marks));
                })
                .differs("The command computes thresholds of a switch with 12 MB of memory and four ports; it sends " +
                    "no packets. It reports an error if PFC may stop a sender before a packet is marked."));
    }

    private static void write(final Path file, final int percent)
    {
        final StringBuilder ports = new StringBuilder();
        for (int i = 0; i < 4; i++)
        {
            ports.append(String.format("[[port]]%nname = \"p%d\"%ndevice = \"mem:p%d\"%n", i, i));
        }
        try
        {
            Files.createDirectories(file.getParent());
            Files.writeString(file, String.format(Locale.ROOT, CONFIGURATION, ports, percent));
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot write " + file + ": " + ex.getMessage(), ex);
        }
    }
}

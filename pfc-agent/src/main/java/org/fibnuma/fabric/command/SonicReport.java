package org.fibnuma.fabric.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.command.ResultOutput;
import org.fibnuma.fabric.export.LaneFile;
import org.fibnuma.fabric.sonic.Finding;
import org.fibnuma.fabric.sonic.HeadroomRule;
import org.fibnuma.fabric.sonic.SonicCheck;
import org.fibnuma.fabric.sonic.SonicSite;
import org.fibnuma.fabric.tables.Lanes;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.pfc.headroom.HeadroomModel;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The report of {@code fibnuma fabric check --sonic}: what was checked, and one line for each finding. */
final class SonicReport
{
    private final Fabric fabric;
    private final SonicCheck check;

    /** Checks a folder, in a single lane if {@code lanes} is null; a fault is a UserException of one line. */
    SonicReport(final Path folder, final Path lanes, final String model, final int cellBytes)
    {
        final HeadroomRule headroom = headroomRule(model, cellBytes);
        requireCell(cellBytes);
        final SonicSite site = SonicSite.read(folder);
        this.fabric = site.fabric();
        this.check = SonicCheck.of(site,
            lanes == null ? Lanes.one(fabric) : LaneFile.read(fabric, lanes), headroom);
    }

    /**
     * Throws a UserException of one line unless a value of --cell is 1 to 4,096 bytes, or 0 for the model's default.
     */
    static void requireCell(final int cellBytes)
    {
        if (cellBytes < 0 || cellBytes > 4096)
        {
            throw UserException.usage("--cell: " + cellBytes + " is not in 1 to 4096 bytes");
        }
    }

    /** Returns the rule for the values of --headroom, null if it is not given, and --cell, 0 if it is not given. */
    static HeadroomRule headroomRule(final String name, final int cellBytes)
    {
        try
        {
            return new HeadroomRule(
                name == null ? HeadroomModel.SONIC : HeadroomModel.of(name), cellBytes, name != null);
        }
        catch (final IllegalArgumentException ex)
        {
            throw UserException.usage("--headroom: " + ex.getMessage());
        }
    }

    boolean holds()
    {
        return check.holds();
    }

    void print(final ResultOutput output) throws JsonProcessingException
    {
        final Map<String, Object> result = new LinkedHashMap<>();
        final long errors = check.findings().stream().filter(Finding::isError).count();
        result.put("switches", fabric.switchCount());
        result.put("links", fabric.channelCount() / 2);
        result.put("destinations", check.destinations());
        result.put("routes", check.routeSources());
        result.put("acyclic", check.isAcyclic());
        result.put("cycle", check.cycle());
        result.put("errors", errors);
        result.put("warnings", check.findings().size() - errors);
        result.put("findings", check.findings().stream().map(SonicReport::row).toList());
        output.print(result, out -> printText(result, out));
    }

    private static Map<String, String> row(final Finding finding)
    {
        final Map<String, String> row = new LinkedHashMap<>();
        row.put("level", finding.isError() ? "error" : "warning");
        row.put("check", finding.subject());
        row.put("place", finding.place());
        row.put("text", finding.text());
        return row;
    }

    private void printText(final Map<String, Object> result, final PrintWriter out)
    {
        for (final String name : List.of("switches", "links", "destinations"))
        {
            out.printf("%-13s %s%n", name, result.get(name));
        }
        out.printf("%-13s %s%n", "routes",
            String.join("; ", check.routeSources().values().stream().distinct().toList()));
        out.printf("%-13s %s%n", "deadlock", check.isAcyclic() == null ? "not proved: routes are missing" :
            check.isAcyclic() ? "free: no buffers can wait for each other in a cycle" : "possible, in this cycle");
        check.cycle().forEach(link -> out.println("    " + link));
        out.printf("%-13s %s%n%-13s %s%n", "errors", result.get("errors"), "warnings", result.get("warnings"));
        if (!check.findings().isEmpty())
        {
            final int width = check.findings().stream().mapToInt(each -> each.place().length()).max().orElse(0);
            final String line = "%-7s  %-8s  %-" + width + "s  %s%n";
            out.println();
            out.printf(line, "level", "check", "place", "finding");
            check.findings().forEach(each -> out.printf(
                line, each.isError() ? "error" : "warning", each.subject(), each.place(), each.text()));
        }
    }
}

package org.fibnuma.pfc.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.ConfigProblems;
import org.fibnuma.core.service.config.ConfigTable;
import org.fibnuma.core.service.config.TomlFile;
import org.fibnuma.core.service.config.TomlSection;
import org.fibnuma.pfc.config.PfcCheck;
import org.fibnuma.pfc.config.PfcConfig;
import org.fibnuma.pfc.config.PfcTableReader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** Checks the table {@code [pfc]} of a configuration and ignores the rest of the file. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
        "Checks the table [pfc] of a configuration: order of the thresholds, headroom, ECN before PFC.",
        "Prints one line for each finding. Exit status: 0 no errors, 1 errors, 2 wrong usage."
    },
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma pfc check -c router-lossless.toml")
final class CheckCommand implements Callable<Integer>
{
    /** What the check reads of a router's file: {@code [pfc]} and the names of the ports. */
    private static final ConfigTable TABLES = new ConfigTable();
    private static final ConfigTable PORT_KEYS = new ConfigTable();
    private static final ConfigKey<String> NAME = PORT_KEYS.string("name", "name", "left", "");
    private static final ConfigKey<List<TomlSection>> PORTS = TABLES.tables("port", PORT_KEYS);

    static
    {
        TABLES.include(PfcTableReader.TABLES);
    }

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
        names = { "-c", "--config" }, required = true, paramLabel = "FILE",
        description = "Configuration (TOML), see man fibnuma.toml.")
    private Path file;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call()
    {
        final PrintWriter out = spec.commandLine().getOut();
        final List<PfcCheck.Finding> findings;
        try
        {
            findings = PfcCheck.findings(read());
        }
        catch (final ConfigException ex)
        {
            ex.problems().forEach(spec.commandLine().getErr()::println);
            spec.commandLine().getErr().flush();
            return PfcCommand.FAILED;
        }
        if (json)
        {
            out.println(answer(findings).toPrettyString());
        }
        else
        {
            findings.forEach(finding -> out.println(
                file + ":" + finding.line() + ": " + (finding.isError() ? "error: " : "warning: ") + finding.text()));
            if (findings.isEmpty())
            {
                out.println(file + ": ok");
            }
        }
        out.flush();
        return findings.stream().anyMatch(PfcCheck.Finding::isError) ? PfcCommand.FAILED : PfcCommand.OK;
    }

    private PfcConfig read() throws ConfigException
    {
        final ConfigProblems problems = new ConfigProblems(file);
        final TomlSection root = TomlFile.read(file, problems, TABLES);
        final List<String> ports = root.get(PORTS).stream().map(port -> port.get(NAME)).toList();
        final PfcConfig config = PfcTableReader.read(root, ports);
        if (config == null)
        {
            root.missing(PfcTableReader.PFC, "add a table [pfc], such as one with lossless = [3, 4]");
        }
        problems.throwIfAny();
        return config;
    }

    private static ObjectNode answer(final List<PfcCheck.Finding> findings)
    {
        final ObjectNode answer = new ObjectMapper().createObjectNode();
        final ArrayNode rows = answer.putArray("findings");
        findings.forEach(finding -> rows.addObject()
            .put("level", finding.isError() ? "error" : "warning")
            .put("line", finding.line())
            .put("text", finding.text()));
        return answer;
    }
}

package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The routing table that a command reads, by default main. */
final class TableOption
{
    private static final long MOST = 0xFFFF_FFFFL;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
        names = "--table", paramLabel = "N",
        description = "Number of the routing table, such as 100, instead of main. Table local is in front of main. " +
            "show rules lists the tables.")
    private Long table;

    /** Adds the table to a request if the user has given one. */
    void addTo(final ObjectNode request)
    {
        if (table != null && (table < 1 || table > MOST))
        {
            throw new ParameterException(command.commandLine(), "--table: " + table + " is not in 1 to " + MOST);
        }
        if (table != null)
        {
            request.put("table", table);
        }
    }
}

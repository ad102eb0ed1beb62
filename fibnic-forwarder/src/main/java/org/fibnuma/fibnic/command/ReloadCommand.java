package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.io.IOException;

/** Makes a running router read its configuration again. */
@Command(
    name = "reload",
    mixinStandardHelpOptions = true,
    description = {
        "Makes a running router read its configuration file again and prints each change as a line.",
        "Access lists, the lists of ports, rates of ICMP errors and punts, neighbor-refresh-seconds, " +
            "fpm-stale-seconds and log-level can change. xdp: ports can be removed and added, also new ones " +
            "(spare-ports).",
        "If the file is wrong or any other key differs, nothing changes.",
        "When the command ends, every worker uses the new lists. SIGHUP to the router does the same.",
        "Exit status: 0 the file is in force, 1 nothing has changed because of the printed line, 2 wrong usage."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma reload",
        "  fibnuma reload --json"
    })
final class ReloadCommand extends RouterQuery
{
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Name of the router, as with --name.")
    private String router;

    @Override
    String routerName()
    {
        return router == null ? super.routerName() : router;
    }

    @Override
    int ask(final ControlClient client) throws IOException
    {
        final JsonNode answer = client.ask(ControlProtocol.request("reload"));
        if (isJson())
        {
            print(answer);
            return FibnumaCommand.OK;
        }
        final JsonNode changes = answer.get("changes");
        if (changes.isEmpty())
        {
            out().println(answer.get("file").asText() + ": nothing has changed");
        }
        changes.forEach(change ->
            out().println(change.get("subject").asText() + ": " + change.get("change").asText()));
        return FibnumaCommand.OK;
    }
}

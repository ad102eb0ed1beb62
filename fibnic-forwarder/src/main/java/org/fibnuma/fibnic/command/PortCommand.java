package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

import java.io.IOException;

/** {@code fibnuma port}: removes a port from a running router, and adds it again. */
@Command(
    name = "port",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Removes ports from a running router and adds them again, while the others forward.",
    subcommands = {PortCommand.Add.class, PortCommand.Remove.class},
    footer = {
        "Examples:",
        "  fibnuma port remove left --name r",
        "  fibnuma port add left --name r"
    })
final class PortCommand implements Runnable
{
    @CommandLine.Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        throw new CommandLine.ParameterException(spec.commandLine(), "missing command; use add or remove");
    }

    /** {@code fibnuma port add}. */
    @Command(
        name = "add",
        mixinStandardHelpOptions = true,
        description = {
            "Adds a port of the configuration that was removed. When the command ends the port forwards again.",
            "Exit status: 0 it forwards, 1 nothing has changed because of the printed line, 2 wrong usage."
        },
        footer = {"Example:", "  fibnuma port add left --name r"})
    static final class Add extends Change
    {
    }

    /** {@code fibnuma port remove}. */
    @Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        description = {
            "Removes an xdp: port until it is added again or the router is restarted: its interface is the kernel's",
            "alone, with all routes by it. When the command ends the router has left the interface.",
            "Exit status: 0 it is removed, 1 nothing has changed because of the printed line, 2 wrong usage."
        },
        footer = {"Example:", "  fibnuma port remove left --name r"})
    static final class Remove extends Change
    {
    }

    /** Sends the request that has the command's name. */
    private abstract static class Change extends RouterQuery
    {
        @Parameters(paramLabel = "PORT", description = "Name of the port in the configuration.")
        private String port;

        @Override
        int ask(final ControlClient client) throws IOException
        {
            final JsonNode answer = client.ask(ControlProtocol.request("port-" + commandName()).put("port", port));
            if (isJson())
            {
                print(answer);
            }
            else
            {
                out().println("port " + port + " (" + answer.get("device").asText() + "): " +
                    answer.get("change").asText());
            }
            return FibnumaCommand.OK;
        }
    }
}

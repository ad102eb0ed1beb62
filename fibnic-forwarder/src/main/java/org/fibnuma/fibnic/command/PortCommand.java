package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;

/** {@code fibnuma port}: adds a port to a running router, and removes one. */
@Command(
    name = "port",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Adds ports to a running router and removes them, while the others forward.",
    subcommands = {PortCommand.Add.class, PortCommand.Remove.class},
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma port remove left",
        "  fibnuma port add left",
        "  fibnuma port add eth3"
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

    @Command(
        name = "add",
        mixinStandardHelpOptions = true,
        description = {
            "Adds a port that was removed, or a new xdp: port, while the others forward.",
            "A new port stays until it is removed or the router ends; the file is not changed.",
            "When the command ends the port forwards.",
            "Exit status: 0 it forwards, 1 nothing has changed because of the printed line, 2 wrong usage."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fibnuma port add left",
            "  fibnuma port add eth3",
            "  fibnuma port add third=xdp:eth4 --acl-in edge"
        })
    static final class Add extends Change
    {
        @Parameters(
            paramLabel = "PORT[=DEVICE]",
            description = "A removed port, an interface, or the name of a new port and its device, xdp:INTERFACE.")
        private String port;

        @Option(names = "--acl-in", paramLabel = "LIST",
            description = "Access list of the router for frames that the port receives.")
        private String aclIn;

        @Option(names = "--acl-out", paramLabel = "LIST",
            description = "Access list of the router for frames that leave by the port.")
        private String aclOut;

        @Option(names = "--queues", paramLabel = "auto",
            description = "auto: set the number of the interface's queues to that of the workers.")
        private String queues;

        @Option(names = "--vlan-pcp", paramLabel = "PCP", defaultValue = "0",
            description = "PCP of frames that leave by VLANs of the port (default: ${DEFAULT-VALUE}).")
        private int vlanPcp;

        @Override
        ObjectNode request()
        {
            refuse(queues != null && !"auto".equals(queues), "--queues: \"" + queues + "\" is not known; give auto");
            final int end = port.indexOf('=');
            final ObjectNode request = ControlProtocol.request("port-add")
                .put("port", end < 0 ? port : port.substring(0, end))
                .put("sets-queues", queues != null)
                .put("vlan-pcp", vlanPcp);
            putIfGiven(request, "device", end < 0 ? null : port.substring(end + 1));
            putIfGiven(request, "acl-in", aclIn);
            putIfGiven(request, "acl-out", aclOut);
            return request;
        }

        private static void putIfGiven(final ObjectNode request, final String key, final String value)
        {
            if (value != null)
            {
                request.put(key, value);
            }
        }
    }

    @Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        description = {
            "Removes an xdp: port until it is added again or the router is restarted.",
            "Then the kernel forwards for its interface, with all routes by it.",
            "When the command ends the router has left the interface.",
            "Exit status: 0 it is removed, 1 nothing has changed because of the printed line, 2 wrong usage."
        },
        footerHeading = "%nExamples:%n",
        footer = "  fibnuma port remove left")
    static final class Remove extends Change
    {
        @Parameters(paramLabel = "PORT", description = "Name of the port.")
        private String port;

        @Override
        ObjectNode request()
        {
            return ControlProtocol.request("port-remove").put("port", port);
        }
    }

    /** Sends a request to change a port and prints the answer. */
    private abstract static class Change extends RouterQuery
    {
        abstract ObjectNode request();

        @Override
        int ask(final ControlClient client) throws IOException
        {
            final JsonNode answer = client.ask(request());
            if (isJson())
            {
                print(answer);
            }
            else
            {
                out().println("port " + answer.get("port").asText() + " (" + answer.get("device").asText() + "): " +
                    answer.get("change").asText());
            }
            return FibnumaCommand.OK;
        }
    }
}

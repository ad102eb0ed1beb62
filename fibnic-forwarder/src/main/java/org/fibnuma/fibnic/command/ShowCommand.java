package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.service.command.Watch;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

import java.io.IOException;

/** Prints the state of a running router. Every subcommand sends the request of its own name. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    modelTransformer = ShowCommand.Subcommands.class,
    synopsisSubcommandLabel = "WHAT",
    description = "Prints the state of a running router.",
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma show ports",
        "  fibnuma show ports left",
        "  fibnuma show drops --json"
    })
final class ShowCommand implements Runnable
{
    @CommandLine.Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        throw new CommandLine.ParameterException(spec.commandLine(),
            "missing topic; use " + String.join(", ", spec.subcommands().keySet()).replaceFirst(", (\\w+)$", " or $1"));
    }

    /** Adds the subcommands, which differ in name and description only. */
    static final class Subcommands implements CommandLine.IModelTransformer
    {
        @Override
        public CommandSpec transform(final CommandSpec show)
        {
            add(show, new ShowPorts(), "ports",
                "The ports and VLAN interfaces, their state and their traffic in a second; with PORT all fields of " +
                "one.");
            add(show, new Routes(), "routes", "The routes in use, sorted by prefix, and the size of the tables.");
            add(show, new Query(), "rules",
                "The rules of policy routing (ip rule), whether the router or the kernel forwards the packets of " +
                "each, and the routing tables that have routes.");
            add(show, new ShowFlows(), "flows",
                "The connections that the host's packet filters have accepted and whose packets the router forwards, " +
                "and why others are left to the kernel.",
                "Each flow with its translated addresses, the ports that receive its two directions, and packets and " +
                "bytes of the initiator and of the responder. The last columns are the time since the flow was " +
                "learned, and since the timeout of its entry in conntrack was set.");
            add(show, new Query(), "neighbors", "The neighbours on the ports.");
            add(show, new ShowDrops(), "drops",
                "The fate of all frames, and the reasons of drops, in total and for each port; what each reason " +
                "means and what to do.");
            add(show, new Query(), "stages",
                "The stages of the pipeline and what each one dropped; the time that each one takes for a frame, and " +
                "the frames that it gets in a batch, in a sample of the batches.",
                "For each worker the longest pause and its reason, the longest JVM pause, and the number of JVM " +
                "pauses above 2 ms. The longest cycle of the control thread, the longest safepoint, and the cost of " +
                "samples for the live page and the metrics to the control thread.");
            add(show, new Query(), "pfc",
                "The lossless priorities of the ports: pauses, headroom, storms and marks.",
                "Pauses received for other priorities, which are not obeyed.");
            add(show, new Query(), "acl", "The access lists, and the frames that each rule has matched.");
            add(show, new Query(), "host",
                "Restrictions of the host for forwarded packets that the router does not apply: filters, shapers, " +
                "IPsec, rules and others. Frames bypass them or are left to the kernel.");
            return show;
        }

        private static void add(
            final CommandSpec show, final Query query, final String name, final String... description)
        {
            final CommandLine subcommand = new CommandLine(query);
            final String example = "  fibnuma show " + name;
            subcommand.getCommandSpec().usageMessage().description(description)
                .footerHeading("%nExamples:%n").footer(example, example + " --json");
            show.addSubcommand(name, subcommand);
        }
    }

    /** Prints the answer to the request that has the subcommand's name. */
    @Command(mixinStandardHelpOptions = true)
    static class Query extends RouterQuery
    {
        @Mixin
        private Watch watch;

        @Option(
            names = "--wide",
            description = "Print whole tables; without it a table of more than " + AnswerPrinter.COLUMNS +
                " columns is cut or printed as lines.")
        private boolean wide;

        @Override
        final int ask(final ControlClient client) throws IOException
        {
            final boolean isLine = isJson() && watch.isGiven();
            watch.print(isJson(), () -> answer(client), isLine ? out()::println : this::print);
            return FibnumaCommand.OK;
        }

        JsonNode answer(final ControlClient client) throws IOException
        {
            return client.ask(ControlProtocol.request(commandName()));
        }

        @Override
        void printText(final JsonNode answer)
        {
            AnswerPrinter.print(answer, out(), wide ? Integer.MAX_VALUE : AnswerPrinter.COLUMNS);
        }
    }

    /** Requests the routes in parts. */
    private static final class Routes extends Query
    {
        private static final String NEXT = "next";
        private static final String LIMIT = "limit";

        @Option(
            names = "--limit", defaultValue = "100", paramLabel = "N",
            description = "Print at most N routes (default: ${DEFAULT-VALUE}).")
        private int limit;

        @Option(names = "--all", description = "Print all routes.")
        private boolean all;

        @Option(
            names = "--under", paramLabel = "PREFIX", converter = LookupCommand.Converter.class,
            description = "Print only routes whose prefix is in PREFIX, such as 192.0.2.0/24.")
        private String under;

        @Mixin
        private TableOption table;

        @Override
        JsonNode answer(final ControlClient client) throws IOException
        {
            final int wanted = all ? Integer.MAX_VALUE : limit;
            final String name = commandName();
            final ObjectNode first = (ObjectNode)client.ask(request(wanted));
            final ArrayNode routes = (ArrayNode)first.get(name);
            JsonNode answer = first;
            while (answer.has(NEXT) && routes.size() < wanted)
            {
                answer = client.ask(request(wanted - routes.size()).put("after", answer.get(NEXT).asText()));
                routes.addAll((ArrayNode)answer.get(name));
            }
            first.remove(NEXT);
            return first;
        }

        private ObjectNode request(final int most)
        {
            final ObjectNode request = ControlProtocol.request(commandName()).put(LIMIT, most);
            table.addTo(request);
            return under == null ? request : request.put("under", under);
        }
    }
}

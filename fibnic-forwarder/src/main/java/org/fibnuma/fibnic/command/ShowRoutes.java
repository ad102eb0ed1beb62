package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;

/** Prints the routes, asking for them page by page. */
@Command(
    name = "routes",
    mixinStandardHelpOptions = true,
    description = "The routes that count, in order, and the size of the tables.")
final class ShowRoutes extends RouterQuery
{
    private static final String NEXT = "next";
    private static final String AFTER = "after";
    private static final String LIMIT = "limit";
    private static final String ROUTES = "routes";

    @Option(
        names = "--limit", defaultValue = "100", paramLabel = "N",
        description = "Print at most N routes (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--all", description = "Print all routes.")
    private boolean all;

    @Override
    int ask(final ControlClient client) throws IOException
    {
        final int wanted = all ? Integer.MAX_VALUE : limit;
        JsonNode answer = client.ask(ControlProtocol.request(ROUTES).put(LIMIT, wanted));
        final JsonNode first = answer;
        final ArrayNode routes = (ArrayNode)first.get(ROUTES);
        while (answer.has(NEXT) && routes.size() < wanted)
        {
            answer = client.ask(ControlProtocol.request(ROUTES)
                .put(AFTER, answer.get(NEXT).asLong())
                .put(LIMIT, wanted - routes.size()));
            routes.addAll((ArrayNode)answer.get(ROUTES));
        }
        ((ObjectNode)first).remove(NEXT);
        print(first);
        return FibnumaCommand.OK;
    }
}

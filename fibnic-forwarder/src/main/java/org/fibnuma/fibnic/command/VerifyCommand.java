package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine.Command;

import java.io.IOException;

/** Compares a running router's FIB with the kernel's tables, and its flows with conntrack. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
        "Compares a running router's FIB with a fresh dump of the kernel's tables (or with the configuration), for " +
            "every address, and prints the differences.",
        "Beside packet filters it also compares each flow with its entry in conntrack: tuples, status and labels.",
        "With control = \"fpm\" the routes are those that zebra has handed over, as the router stores them " +
            "(handedRoutes is their number).",
        "Exit status: 0 no difference, 1 differences or no answer, 2 wrong usage."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma verify",
        "  fibnuma verify --json"
    })
final class VerifyCommand extends RouterQuery
{
    @Override
    int ask(final ControlClient client) throws IOException
    {
        final JsonNode answer = client.ask(ControlProtocol.request("verify"));
        print(answer);
        return answer.get("equal").asBoolean() ? FibnumaCommand.OK : FibnumaCommand.FAILED;
    }
}

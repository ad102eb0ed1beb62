package org.fibnuma.fibnic.command;

import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine.Command;

import java.io.IOException;

/** Prints the ports. */
@Command(
    name = "ports",
    mixinStandardHelpOptions = true,
    description = "The ports, their state and their traffic.")
final class ShowPorts extends RouterQuery
{
    @Override
    int ask(final ControlClient client) throws IOException
    {
        print(client.ask(ControlProtocol.request("ports")));
        return FibnumaCommand.OK;
    }
}

package org.fibnuma.fibnic.command;

import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine.Command;

import java.io.IOException;

/** Prints what of the host's policy for forwarded packets is bypassed. */
@Command(
    name = "host",
    mixinStandardHelpOptions = true,
    description = "What the host has decided about forwarded packets and the router bypasses.")
final class ShowHost extends RouterQuery
{
    @Override
    int ask(final ControlClient client) throws IOException
    {
        print(client.ask(ControlProtocol.request("host")));
        return FibnumaCommand.OK;
    }
}

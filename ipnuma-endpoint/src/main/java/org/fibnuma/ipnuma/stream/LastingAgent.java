package org.fibnuma.ipnuma.stream;

import org.fibnuma.core.UserException;

import java.io.IOException;

/**
 * The {@link StreamAgent} of a program that can outlive its endpoint. If the endpoint is lost, all connections and
 * acceptors fail. The next call that needs an agent connects to the endpoint again. One thread at a time uses it.
 */
public final class LastingAgent
{
    private final StreamSettings settings;
    private final StreamEvents events;
    private StreamAgent agent;
    private boolean closed;

    /**
     * Connects to the local endpoint.
     *
     * @param settings of the program.
     * @param events   of the channels and acceptors of all agents.
     * @throws UserException with the reason in one line.
     */
    public LastingAgent(final StreamSettings settings, final StreamEvents events)
    {
        this.settings = settings;
        this.events = events;
        this.agent = StreamAgent.open(settings, events);
    }

    /** Returns the latest agent. The caller runs it. Its endpoint may be lost. */
    public StreamAgent current()
    {
        return agent;
    }

    /**
     * Returns the latest agent, or a new one if its endpoint is lost.
     *
     * @throws IOException if there is no endpoint yet, or it ran on the thread of the streams and has ended for good.
     */
    public StreamAgent usable() throws IOException
    {
        if (agent.lost() == null || closed)
        {
            return agent;
        }
        if (settings.endpoint() != null)
        {
            throw new IOException(agent.lost());
        }
        agent.onClose();
        try
        {
            agent = StreamAgent.open(settings, events);
        }
        catch (final UserException ex)
        {
            throw new IOException(ex.getMessage(), ex);
        }
        return agent;
    }

    /** Closes the latest agent. No other is created. */
    public void close()
    {
        closed = true;
        agent.onClose();
    }
}

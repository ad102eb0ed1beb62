package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.ipnuma.client.CompanionEndpoint;
import org.fibnuma.ipnuma.client.CompanionWrites;

import java.util.function.IntFunction;

/**
 * An endpoint on the thread of its client. It recovers from faults by itself. A write that the client sends from within
 * a duty cycle, in a {@link org.fibnuma.ipnuma.channel.ChannelListener}, has to use the ring: the channels of the
 * endpoint are busy then.
 */
final class Companion implements CompanionEndpoint
{
    private final EndpointAgent agent;
    private final IntFunction<CompanionWrites> clients;
    private boolean isBusy;

    /**
     * Makes the companion of the client's thread.
     *
     * @param agent   of the endpoint.
     * @param clients returns the writes of the client with a slot.
     */
    Companion(final EndpointAgent agent, final IntFunction<CompanionWrites> clients)
    {
        this.agent = agent;
        this.clients = clients;
    }

    @Override
    public int doWork()
    {
        isBusy = true;
        try
        {
            return agent.doWork();
        }
        catch (final InternalError fault)
        {
            agent.onFault(fault);
            return 1;
        }
        finally
        {
            isBusy = false;
        }
    }

    @Override
    public void onRequest()
    {
        agent.pollNext();
    }

    @Override
    public CompanionWrites writes(final int slot)
    {
        return new Writes(clients.apply(slot));
    }

    @Override
    public String roleName()
    {
        return agent.roleName();
    }

    private final class Writes implements CompanionWrites
    {
        private final CompanionWrites client;

        Writes(final CompanionWrites client)
        {
            this.client = client;
        }

        @Override
        public int longest(final long target)
        {
            return isBusy ? 0 : client.longest(target);
        }

        @Override
        public Outcome write(
            final long target,
            final int generation,
            final long dataAddress,
            final int length,
            final int flags,
            final long correlation)
        {
            if (isBusy)
            {
                return Outcome.NOT_DIRECT;
            }
            try
            {
                return client.write(target, generation, dataAddress, length, flags, correlation);
            }
            catch (final InternalError fault)
            {
                agent.onFault(fault);
                return Outcome.NOT_DIRECT;
            }
        }

        @Override
        public boolean passesByMemory(final long target)
        {
            return !isBusy && client.passesByMemory(target);
        }

        @Override
        public boolean scatter(
            final long target, final int generation, final long listAddress, final int length, final long correlation)
        {
            try
            {
                return !isBusy && client.scatter(target, generation, listAddress, length, correlation);
            }
            catch (final InternalError fault)
            {
                agent.onFault(fault);
                return false;
            }
        }
    }
}

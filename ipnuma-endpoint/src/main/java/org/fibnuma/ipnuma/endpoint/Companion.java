package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.ipnuma.client.CompanionEndpoint;
import org.fibnuma.ipnuma.client.CompanionWrites;

import java.util.function.IntFunction;

/** An endpoint on the thread of its client. It recovers by itself from the faults of its duty cycles. */
final class Companion implements CompanionEndpoint
{
    private final EndpointAgent agent;
    private final IntFunction<CompanionWrites> clients;
    private boolean isBusy;

    /** Creates a companion. The function returns the {@link CompanionWrites} of the client with a slot. */
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
            onFault(fault);
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
    public boolean isBusy()
    {
        return isBusy;
    }

    @Override
    public void onFault(final InternalError fault)
    {
        agent.onFault(fault);
    }

    @Override
    public CompanionWrites writes(final int slot)
    {
        return clients.apply(slot);
    }

    @Override
    public String roleName()
    {
        return agent.roleName();
    }
}

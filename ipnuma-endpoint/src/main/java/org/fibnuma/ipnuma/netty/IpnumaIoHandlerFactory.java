package org.fibnuma.ipnuma.netty;

import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.util.concurrent.ThreadAwareExecutor;
import org.fibnuma.core.agent.IdleStrategies;
import org.fibnuma.ipnuma.stream.StreamSettings;

/**
 * Creates the handlers of event loops. All of them share one connection to the local endpoint. Any thread may use it.
 */
final class IpnumaIoHandlerFactory implements IoHandlerFactory
{
    private final StreamSettings settings;
    private final String idle;
    private SharedAgent agent;

    IpnumaIoHandlerFactory(final StreamSettings settings, final String idle)
    {
        IdleStrategies.of(idle);
        this.settings = settings;
        this.idle = idle;
    }

    @Override
    public synchronized IoHandler newHandler(final ThreadAwareExecutor executor)
    {
        if (agent == null || !agent.retain())
        {
            agent = new SharedAgent(settings);
        }
        return new IpnumaIoHandler(executor, agent, idle);
    }
}

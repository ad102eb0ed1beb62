package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.ipnuma.channel.ChannelListener;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.host.ClientRings;

/** Passes answers to the client or application that sent the request, and events to both. */
final class ClientEvents implements ChannelListener
{
    private final ClientRings clients;
    private final ChannelListener application;

    ClientEvents(final ClientRings clients, final ChannelListener application)
    {
        this.clients = clients;
        this.application = application;
    }

    @Override
    public void onUp(final int pcId)
    {
        clients.onPeer(ClientMessage.PEER_UP, pcId, 0, 0);
        application.onUp(pcId);
    }

    @Override
    public void onDown(final int pcId, final long pendingWrites)
    {
        clients.onPeer(ClientMessage.PEER_DOWN, pcId, 0, pendingWrites);
        application.onDown(pcId, pendingWrites);
    }

    @Override
    public void onPeerRestarted(final int pcId, final long lostWrites)
    {
        clients.onPeer(ClientMessage.PEER_RESTARTED, pcId, 0, lostWrites);
        application.onPeerRestarted(pcId, lostWrites);
    }

    @Override
    public void onRead(final int pcId, final long tag, final long address, final int length, final int status)
    {
        if (ClientRings.isTag(tag))
        {
            clients.onRead(tag, address, length, status);
        }
        else
        {
            application.onRead(pcId, tag, address, length, status);
        }
    }

    @Override
    public void onAtomic(final int pcId, final long tag, final long previous, final int status)
    {
        if (ClientRings.isTag(tag))
        {
            clients.onAtomic(tag, previous, status);
        }
        else
        {
            application.onAtomic(pcId, tag, previous, status);
        }
    }

    @Override
    public void onWritten(final int pcId, final long tag, final int status)
    {
        if (ClientRings.isTag(tag))
        {
            clients.onWritten(tag, status);
        }
        else
        {
            application.onWritten(pcId, tag, status);
        }
    }

    @Override
    public void onUnanswered(final int pcId, final long tag)
    {
        if (ClientRings.isTag(tag))
        {
            clients.onUnanswered(tag);
        }
        else
        {
            application.onUnanswered(pcId, tag);
        }
    }

    @Override
    public void onDoorbell(final int pcId)
    {
        clients.onPeer(ClientMessage.PEER_DOORBELL, pcId, 0, 0);
        application.onDoorbell(pcId);
    }

    @Override
    public void onError(final int pcId, final int status, final long remoteAddress)
    {
        clients.onPeer(ClientMessage.PEER_ERROR, pcId, status, remoteAddress);
        application.onError(pcId, status, remoteAddress);
    }

    @Override
    public void onRefused(final int pcId, final int status, final long remoteAddress)
    {
        application.onRefused(pcId, status, remoteAddress);
    }
}

package org.fibnuma.ipnuma.netty;

import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;

/** A channel of this package as its handler sees it. The only event says that it is worth trying. */
interface IpnumaIoHandle extends IoHandle
{
    /** Connected, has data or room, has ended or failed, or has a connection to accept. */
    IoEvent READY = new IoEvent()
    {
        @Override
        public String toString()
        {
            return "READY";
        }
    };

    @Override
    void close();
}

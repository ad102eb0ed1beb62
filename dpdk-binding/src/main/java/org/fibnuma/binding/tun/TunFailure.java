package org.fibnuma.binding.tun;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netdevice.NetworkDevice;
import org.fibnuma.core.UserException;
import org.fibnuma.core.port.PortRequest;

/** Errors for a user whose TUN or TAP interface cannot be created. */
final class TunFailure
{
    private final String prefix;

    TunFailure(final String scheme, final PortRequest request)
    {
        this.prefix = "port " + request.name() + " (" + scheme + ":" + request.device() + "): ";
    }

    void requireName(final String name)
    {
        if (!NetworkDevice.isName(name))
        {
            throw of("\"" + name + "\" cannot be the name of an interface");
        }
    }

    UserException of(final String what)
    {
        return new UserException(prefix + what);
    }

    UserException of(final SystemCallException cause)
    {
        return new UserException(prefix + explain(cause), cause);
    }

    private static String explain(final SystemCallException ex)
    {
        if (Errno.EPERM.is(ex.errno()) || Errno.EACCES.is(ex.errno()))
        {
            return "needs root, or the capability CAP_NET_ADMIN: run it with sudo";
        }
        if (Errno.ENOENT.is(ex.errno()) || Errno.ENODEV.is(ex.errno()))
        {
            return "this kernel has no /dev/net/tun: modprobe tun";
        }
        if (Errno.EBUSY.is(ex.errno()) || Errno.EINVAL.is(ex.errno()))
        {
            return "an interface of this name is there already; give another name";
        }
        return "the kernel refuses: " + ex.getMessage();
    }
}

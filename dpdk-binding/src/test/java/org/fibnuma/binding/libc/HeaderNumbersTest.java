package org.fibnuma.binding.libc;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Every constant that carries the name of one in C, against the headers of the system. */
class HeaderNumbersTest
{
    @Test
    void shouldAgreeWithTheHeaders(@TempDir final Path directory) throws IOException, IllegalAccessException
    {
        final Map<String, Long> expected = new HashMap<>();
        for (final Class<?> type : List.of(SysMman.class, SysSocket.class, Fcntl.class))
        {
            for (final Field field : type.getFields())
            {
                if (Modifier.isStatic(field.getModifiers()))
                {
                    expected.put(field.getName(), field.getLong(null));
                }
            }
        }
        for (final Errno errno : Errno.values())
        {
            expected.put(errno.name(), (long)errno.number());
        }
        expected.put("SYS_bpf", LibC.SYS_BPF);
        HeaderProbe.check(directory, List.of(
            "sys/mman.h", "sys/socket.h", "linux/netlink.h", "fcntl.h", "poll.h", "sched.h", "errno.h",
            "sys/syscall.h", "asm/socket.h"), expected);
    }
}

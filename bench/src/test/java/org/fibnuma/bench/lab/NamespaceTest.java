package org.fibnuma.bench.lab;

import org.fibnuma.core.Require;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;

/** The tests of the class use network namespaces: they need root, iproute2 and some more programs. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NamespaceTest.Requirement.class)
public @interface NamespaceTest
{
    /** Names of the programs besides ip; "scapy" for that library. */
    String[] value() default {};

    /** Ends the tests of a class with the reason if something is missing. */
    final class Requirement implements BeforeAllCallback
    {
        /** Debian packages with another name than the program. */
        private static final Map<String, String> PACKAGES = Map.ofEntries(
            Map.entry("tc", "iproute2"), Map.entry("ping", "iputils-ping"), Map.entry("nft", "nftables"),
            Map.entry("bird", "bird2"), Map.entry("sysctl", "procps"), Map.entry("ps", "procps"),
            Map.entry("nsenter", "util-linux"), Map.entry("setpriv", "util-linux"), Map.entry("unshare", "util-linux"),
            Map.entry("script", "bsdutils"), Map.entry("dpkg-deb", "dpkg"), Map.entry("man", "man-db"),
            Map.entry("etcd", "etcd-server"), Map.entry("promtool", "prometheus"),
            Map.entry("dpdk-testpmd", "dpdk"), Map.entry("chromedriver", "chromium-driver"),
            Map.entry("iptables-nft", "iptables"), Map.entry("iptables-legacy", "iptables"),
            Map.entry("ip6tables-nft", "iptables"), Map.entry("ip6tables-legacy", "iptables"));

        @Override
        public void beforeAll(final ExtensionContext context)
        {
            Require.root();
            Require.program("ip", "iproute2");
            AnnotationSupport.findAnnotation(context.getRequiredTestClass(), NamespaceTest.class)
                .ifPresent(needed -> require(needed.value()));
        }

        private static void require(final String... programs)
        {
            for (final String program : programs)
            {
                if (program.equals("scapy"))
                {
                    Require.scapy();
                }
                else
                {
                    Require.program(program, PACKAGES.getOrDefault(program, program));
                }
            }
        }
    }
}

package org.fibnuma.core.house;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The modules, bottom up, and the allowed dependencies of each. */
final class Modules
{
    static final List<String> NAMES =
        List.of("core", "dpdk-binding", "pfc-agent", "fibnic-forwarder", "ipnuma-endpoint", "packaging", "bench");

    /**
     * The packages of other modules that a module's sources may name. The module pfc-agent has two packages,
     * {@code pfc} and {@code fabric}; the second uses the headroom of the first to check switches.
     */
    static final Map<String, Set<String>> MAY_NAME = Map.of(
        "core", Set.of("core"),
        "binding", Set.of("binding", "core"),
        "pfc", Set.of("pfc", "core"),
        "fabric", Set.of("fabric", "pfc", "core"),
        "fibnic", Set.of("fibnic", "pfc", "binding", "core"),
        "ipnuma", Set.of("ipnuma", "pfc", "core"),
        "packaging", Set.of("packaging", "fibnic", "ipnuma", "fabric", "pfc", "core"),
        "bench", Set.of("bench", "fibnic", "ipnuma", "fabric", "pfc", "binding", "core"));

    static final String ROOT_PACKAGE = "org.fibnuma.";

    private Modules()
    {
    }

    /** Returns the part of a package name that identifies the module; empty for packages of others. */
    static String of(final String qualifiedName)
    {
        return qualifiedName.startsWith(ROOT_PACKAGE) ?
            qualifiedName.substring(ROOT_PACKAGE.length()).split("\\.")[0] : "";
    }
}

/**
 * The configuration of a router: {@link org.fibnuma.fibnic.config.ConfigReader} turns a TOML file into a valid
 * {@link org.fibnuma.fibnic.config.RouterConfig}, or reports a line for each problem.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.config;

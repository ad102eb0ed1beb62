/**
 * The configuration of a router: {@link org.fibnuma.fibnic.config.ConfigReader} turns a TOML file into a
 * {@link org.fibnuma.fibnic.config.RouterConfig} that holds together, or says line by line what is wrong with it.
 */
package org.fibnuma.fibnic.config;

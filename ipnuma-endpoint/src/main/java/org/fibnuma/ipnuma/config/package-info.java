/**
 * The endpoint's file: {@link org.fibnuma.ipnuma.config.EndpointConfigReader} reads tables {@code [endpoint]},
 * {@code [[peer]]} and {@code [[region]]} into records, and reports each problem in one line with file, line and key.
 */
package org.fibnuma.ipnuma.config;

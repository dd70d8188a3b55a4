// SPDX-License-Identifier: Apache-2.0

/**
 * Events for the JDK's Flight Recorder. {@code docs/jfr.md} lists the events and their fields, which are stable.
 *
 * <p>A JRE may lack the module {@code jdk.jfr}. Only classes named {@code Jfr…} refer to its classes, and only {@link
 * io.github.rdma4j.internal.flight.Flight} refers to those, after it has looked for the module.
 */
@NullMarked
package io.github.rdma4j.internal.flight;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/**
 * Events for the JDK's Flight Recorder. {@code docs/jfr.md} lists the events and their fields, which are stable.
 *
 * <p>A JRE may lack the module {@code jdk.jfr}. Only classes named {@code Jfr…} use its classes, and only {@link
 * io.github.rdma4j.internal.flight.Flight} uses the {@code Jfr…} classes, after it has checked that the module exists.
 */
@NullMarked
package io.github.rdma4j.internal.flight;

import org.jspecify.annotations.NullMarked;

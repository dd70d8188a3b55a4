// SPDX-License-Identifier: Apache-2.0
/**
 * The connection manager on the model and on Linux. What is named {@code …Scenarios} is run twice: by a {@code …ModelTest} on
 * any machine, and by a {@code …KernelIT} in a guest, which judges the model. Other tests need what only the model can do:
 * errors, pauses and orders of events.
 */
@NullMarked
package io.github.rdma4j.testkit.cm;

import org.jspecify.annotations.NullMarked;

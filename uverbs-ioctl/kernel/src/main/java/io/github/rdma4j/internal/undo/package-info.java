// SPDX-License-Identifier: Apache-2.0

/**
 * What is done about a failure halfway: steps back, the first failure of several, classes that are there in time, and work
 * that an interrupt must not cut short.
 */
@NullMarked
package io.github.rdma4j.internal.undo;

import org.jspecify.annotations.NullMarked;

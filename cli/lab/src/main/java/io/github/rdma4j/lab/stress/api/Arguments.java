// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.stress.api;

import org.jspecify.annotations.Nullable;

/**
 * The arguments of one call.
 *
 * @param values the arguments
 * @param hasNull whether an argument, or an element of one, is null
 * @param largest the largest number among them
 */
@SuppressWarnings("ArrayRecordComponent") // for Method.invoke
record Arguments(@Nullable Object[] values, boolean hasNull, long largest) {}

// SPDX-License-Identifier: Apache-2.0
/**
 * Asynchronous completions by handlers and futures: {@link io.github.rdma4j.verbs.dispatch.CompletionDispatcher} passes
 * the completions of many queue pairs to the handlers or futures of their work requests.
 */
@NullMarked
package io.github.rdma4j.verbs.dispatch;

import org.jspecify.annotations.NullMarked;

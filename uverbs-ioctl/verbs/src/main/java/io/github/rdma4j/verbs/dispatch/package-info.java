// SPDX-License-Identifier: Apache-2.0
/**
 * Completions by handlers and futures: {@link io.github.rdma4j.verbs.dispatch.CompletionDispatcher} takes the completions of many
 * queue pairs, and gives each completion to the handler or the future of its work request.
 */
@NullMarked
package io.github.rdma4j.verbs.dispatch;

import org.jspecify.annotations.NullMarked;

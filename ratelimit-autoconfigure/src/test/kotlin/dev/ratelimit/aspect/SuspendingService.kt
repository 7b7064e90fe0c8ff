package dev.ratelimit.aspect

import dev.ratelimit.annotation.RateLimited
import dev.ratelimit.core.CallContext
import dev.ratelimit.core.RateLimitExceededException
import dev.ratelimit.core.RateLimitMode
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.future.future
import kotlinx.coroutines.reactor.asCoroutineContext
import reactor.util.context.Context
import java.util.concurrent.CompletableFuture
import java.util.concurrent.atomic.AtomicInteger

/** Suspending functions and flows with limits, and ways for Java tests to call them. */
open class SuspendingService {

	val bodies = AtomicInteger()

	@RateLimited("refusing", rate = 1.0)
	open suspend fun refusing(text: String): String {
		bodies.incrementAndGet()
		return text
	}

	@RateLimited("waiting", rate = 1.0, mode = RateLimitMode.WAIT)
	open suspend fun waiting(text: String): String {
		bodies.incrementAndGet()
		return text + " in " + currentCoroutineContext()[CoroutineName]?.name
	}

	@RateLimited("failing", rate = 1.0)
	open suspend fun failing(): String = throw IllegalArgumentException("from the body")

	@RateLimited("nothing", rate = 1.0)
	open suspend fun nothing(): String? = null

	@RateLimited("unit", rate = 1.0)
	open suspend fun unit() {
		bodies.incrementAndGet()
	}

	@RateLimited("keyed", rate = 1.0, key = "#user")
	open suspend fun keyed(user: String): String = user

	@RateLimited("client", rate = 1.0, key = "clientIp")
	open suspend fun client(): String = "served"

	@RateLimited("fallback", rate = 1.0, fallback = "instead")
	open suspend fun withFallback(text: String): String = text

	protected suspend fun instead(text: String, refusal: RateLimitExceededException): String =
		"$text refused by ${refusal.bucketName}"

	@RateLimited("flow", rate = 1.0)
	open fun flow(): Flow<String> {
		bodies.incrementAndGet()
		return flowOf("a", "b")
	}

	@RateLimited("waitingFlow", rate = 1.0, mode = RateLimitMode.WAIT)
	open fun waitingFlow(): Flow<String> {
		bodies.incrementAndGet()
		return flowOf("a", "b")
	}

	@RateLimited("deferred", rate = 1.0, mode = RateLimitMode.WAIT)
	open fun deferred(): Deferred<String> {
		bodies.incrementAndGet()
		return CompletableDeferred("value")
	}

	@RateLimited("suspendingFlow", rate = 1.0)
	open suspend fun suspendingFlow(): Flow<String> {
		bodies.incrementAndGet()
		return flowOf("a", "b")
	}

}

/** Calls suspending functions for Java. */
object Coroutines {

	@JvmStatic
	fun refusing(service: SuspendingService, text: String) = start { service.refusing(text) }

	@JvmStatic
	fun waiting(service: SuspendingService, text: String) = start { service.waiting(text) }

	@JvmStatic
	fun failing(service: SuspendingService) = start { service.failing() }

	@JvmStatic
	fun nothing(service: SuspendingService) = start { service.nothing() }

	@JvmStatic
	fun unit(service: SuspendingService) = start { service.unit() }

	@JvmStatic
	fun keyed(service: SuspendingService, user: String) = start { service.keyed(user) }

	@JvmStatic
	fun withFallback(service: SuspendingService, text: String) = start { service.withFallback(text) }

	@JvmStatic
	fun suspendingFlow(service: SuspendingService) = start { service.suspendingFlow() }

	@JvmStatic
	fun await(deferred: Deferred<String>) = start { deferred.await() }

	@JvmStatic
	fun collect(flow: Flow<String>) = start { flow.toList() }

	@JvmStatic
	fun client(service: SuspendingService, context: CallContext): CompletableFuture<String> =
		CoroutineScope(Dispatchers.Unconfined + Context.of(CallContext::class.java, context).asCoroutineContext())
			.future { service.client() }

	private fun <T> start(body: suspend CoroutineScope.() -> T): CompletableFuture<T> =
		CoroutineScope(Dispatchers.Unconfined + CoroutineName("the caller's coroutine")).future(block = body)

}
